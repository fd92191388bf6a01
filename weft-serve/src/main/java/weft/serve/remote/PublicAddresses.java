package weft.serve.remote;

import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Tells addresses that anybody on the Internet reaches from those that only this machine or its
 * neighbours do, and from those with a purpose of their own: IANA's registries of special ones.
 */
final class PublicAddresses {
  private static final List<Block> SPECIAL =
      blocks(
          "0.0.0.0/8", // this network
          "10.0.0.0/8", // private
          "100.64.0.0/10", // behind a provider's translation
          "127.0.0.0/8", // loopback
          "169.254.0.0/16", // link-local, where clouds keep credentials
          "172.16.0.0/12", // private
          "192.0.0.0/24", // protocols
          "192.0.2.0/24", // documentation
          "192.31.196.0/24", // AS112
          "192.52.193.0/24", // multicast tunnels
          "192.88.99.0/24", // 6to4 relays
          "192.168.0.0/16", // private
          "192.175.48.0/24", // AS112
          "198.18.0.0/15", // benchmarks
          "198.51.100.0/24", // documentation
          "203.0.113.0/24", // documentation
          "224.0.0.0/4", // multicast
          "240.0.0.0/4", // reserved, and broadcast
          "2001::/23", // protocols, among them Teredo, which holds an IPv4 address
          "2001:db8::/32", // documentation
          "2002::/16", // 6to4, which holds an IPv4 address
          "2620:4f:8000::/48", // AS112
          "3fff::/20"); // documentation

  /** All other IPv6 is loopback, local, mapped, translated, multicast or not given out. */
  private static final Block GLOBAL = block("2000::/3");

  private PublicAddresses() {}

  private record Block(BigInteger start, int prefix, int bits) {
    private boolean holds(byte[] address) {
      return address.length * 8 == bits
          && new BigInteger(1, address).xor(start).shiftRight(bits - prefix).signum() == 0;
    }
  }

  static boolean contain(InetAddress address) {
    var bytes = address.getAddress();
    boolean isGlobal = address instanceof Inet4Address || GLOBAL.holds(bytes);
    return isGlobal && SPECIAL.stream().noneMatch(block -> block.holds(bytes));
  }

  private static List<Block> blocks(String... texts) {
    return Arrays.stream(texts).map(PublicAddresses::block).toList();
  }

  private static Block block(String text) {
    var halves = text.split("/");
    var start = InetAddress.ofLiteral(halves[0]).getAddress();
    return new Block(new BigInteger(1, start), Integer.parseInt(halves[1]), start.length * 8);
  }
}
