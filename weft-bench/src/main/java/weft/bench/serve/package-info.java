/** Servers under the same load, in turns. */
package weft.bench.serve;
