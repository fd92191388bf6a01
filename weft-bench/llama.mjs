// One measurement of llama.cpp, as JSON on standard output: node llama.mjs MODEL PROMPT GEN DEPTH BATCH THREADS
// or, to be timed from outside, one token behind ten: node llama.mjs MODEL first THREADS
import {getLlama} from "node-llama-cpp";

const [model, ...rest] = process.argv.slice(2);
const isFirst = rest[0] === "first";
const numbers = isFirst ? ["10", "1", "0", "1", rest[1]] : rest;
const [prompt, gen, depth, batch, threads] = numbers.map(Number);
const llama = await getLlama({gpu: false, build: "never", logLevel: "error"});
const weights = await llama.loadModel({modelPath: model, useMmap: true});
const context = await weights.createContext({
  contextSize: Math.max(prompt, depth + gen) + 16,
  batchSize: 512,
  sequences: batch,
  threads,
});
const sequences = Array.from({length: batch}, () => context.getSequence());
const text = (n) => Array.from({length: n}, (_, i) => (i * 37 + 11) % 256);
const seconds = async (work) => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};
const generate = async (sequence, n) => {
  for await (const _ of sequence.evaluate([5], {temperature: 0, yieldEogToken: true})) if (--n === 0) break;
};

if (isFirst) {
  const ten = Array.from({length: 10}, (_, i) => i + 1);
  for await (const _ of sequences[0].evaluate(ten, {temperature: 0, yieldEogToken: true})) break;
  process.exit(0);
}

// Once to warm up: the first pass reads the file.
await sequences[0].evaluateWithoutGeneratingNewTokens(text(Math.min(8, prompt)));
await generate(sequences[0], 2);

const result = {};
await sequences[0].clearHistory();
if (prompt > 0) {
  const took = await seconds(() => sequences[0].evaluateWithoutGeneratingNewTokens(text(prompt)));
  result.prefill = prompt / took;
  await sequences[0].clearHistory();
}
if (gen > 0) {
  if (depth > 0) await Promise.all(sequences.map((s) => s.evaluateWithoutGeneratingNewTokens(text(depth))));
  const took = await seconds(() => Promise.all(sequences.map((s) => generate(s, gen))));
  result.decode = (batch * gen) / took;
}
console.log(JSON.stringify(result));
process.exit(0);
