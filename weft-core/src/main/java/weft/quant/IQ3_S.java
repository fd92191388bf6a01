package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * 64 groups of four odd magnitudes from a table of 512, with a sign bit each, and a four-bit scale
 * for each 32 values: {@code d:2, index:64, ninth index bits:8, signs:32, scales:4}, value {@code
 * ±d·(2·scale + 1)·magnitude}.
 */
public record IQ3_S() implements Encoding {
  private static final int INDEX = 2;
  private static final int NINTH_BITS = 66;
  private static final int SIGNS = 74;
  private static final int SCALES = 106;
  private static final int GROUP = 4;

  /** Four magnitudes an entry; digit {@code g} stands for {@code 2g + 1}. */
  private static final String GRID =
      """
      0000 1000 2000 5000 7000 0100 1100 2100 4100 6100 0200 1200 5200 3300 0400 2400
      5400 7400 1500 3500 0600 2600 1700 4700 7700 0010 1010 2010 4010 0110 1110 5110
      0210 3210 7210 1310 5310 4410 1610 5610 2710 0020 1020 5020 7020 0120 3120 6120
      1220 5220 0320 4320 2420 5420 7420 1520 3520 0720 3720 3030 1130 5130 0230 2230
      1330 3330 6330 4430 0530 2530 7630 1730 5730 0040 3140 7140 1240 4240 2340 0440
      3440 1540 0740 2050 4050 0250 2250 6250 3350 1450 5450 7450 6650 3750 6060 1160
      3160 1360 2560 1760 0070 2070 4070 0270 2270 6270 3370 0570 4570 0001 1001 2001
      4001 0101 1101 3101 5101 7101 0201 2201 1301 4301 6301 4501 6501 1601 2701 0011
      1011 3011 6011 0111 4111 1211 0311 3311 1411 0511 2511 0711 6711 0021 2121 5121
      7121 0221 4221 2321 0421 3421 5521 0621 2721 1031 4031 7031 0131 3131 1231 7231
      0331 4331 1431 2631 0731 3041 5041 2141 4141 1341 3341 2441 6441 0541 4541 1051
      0151 3151 1251 0351 2351 1551 0261 4261 7261 4461 6461 1071 3071 0171 2171 1271
      5371 1471 2671 0771 0002 1002 3002 5002 7002 0102 2102 4102 6102 1202 3202 7202
      0302 2302 1402 3402 5402 0502 2502 7602 0702 3702 5702 0012 2012 0112 3112 7112
      2212 5212 1312 4312 2412 1512 1022 4022 7022 1222 3222 0322 7322 1422 3522 7522
      1722 4722 0032 2032 5032 1132 2232 4232 1332 3332 2432 0532 6632 1042 7042 0242
      3242 2342 5342 1442 2742 5742 4052 1152 2252 7352 0452 3552 0752 0062 2062 7062
      1262 5562 1662 5072 1172 6272 0372 3472 0572 2003 1103 3103 5103 7103 2203 1303
      3303 5303 2403 4403 7403 1503 3603 1703 1013 3013 5013 4113 1213 3213 0413 0613
      2713 6713 0023 2123 0223 2323 4323 0523 1033 0133 4133 1233 3233 7233 0333 1433
      3433 7433 5533 3733 3043 1143 6143 2243 1343 2543 0643 4643 1053 0153 2153 5253
      2353 4453 6553 3753 6163 1463 1073 3073 0273 2273 5373 0004 4004 2104 0204 4204
      7204 2304 1404 0504 0704 2014 7014 1114 3114 2214 0314 5314 3414 1514 5514 1024
      3024 0124 5124 1224 3324 0424 7524 2624 0724 4034 1134 3134 0234 2234 1334 5334
      0044 2044 4244 7344 0444 1744 5054 7054 1254 2654 3164 4364 0664 0174 5174 0374
      3474 1574 2005 0105 4105 2205 0405 4405 7405 2505 6605 4705 1015 3015 5015 2115
      1215 2315 2715 0025 1125 3225 0325 6325 3525 2035 7035 0135 7235 4435 1535 5635
      3735 1045 4045 0245 2345 6445 2155 6255 1555 3555 2465 2075 4075 2275 1106 3106
      5106 1306 3306 0606 0016 0216 7216 4616 2126 4326 2426 5526 2626 0726 0036 4136
      1236 0436 5246 3446 2646 0056 3056 4356 0656 5066 0466 1176 3176 0007 4007 7007
      0207 2207 6307 0407 4507 2607 2017 1117 4217 3417 5417 1027 4027 0127 6127 1227
      0327 1527 2037 2337 5337 3537 1047 5047 3147 0247 0547 2257 2457 2067 1367 0077
      """;

  private static final byte[] MAGNITUDES = magnitudes();

  @Override
  public StorageType type() {
    return StorageType.IQ3_S;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset);
    for (int i = 0; i < blockValues(); i++) {
      int group = i / GROUP;
      int ninth = Bytes.unsigned(from, offset + NINTH_BITS + group / 8) >> group % 8 & 1;
      int index = Bytes.unsigned(from, offset + INDEX + group) | ninth << 8;
      int scale = Bytes.unsigned(from, offset + SCALES + i / 64) >> i / 32 % 2 * 4 & 15;
      float magnitude = d * (2 * scale + 1) * MAGNITUDES[index * GROUP + i % GROUP];
      int sign = Bytes.unsigned(from, offset + SIGNS + i / 8) >> i % 8 & 1;
      to[at + i] = sign == 0 ? magnitude : -magnitude;
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    throw new QuantException(
        "weft decodes IQ3_S but does not encode it: its table calls for a search with an"
            + " importance matrix. Encode as Q3_K, which is as large.");
  }

  private static byte[] magnitudes() {
    var digits = GRID.replaceAll("\\s", "");
    var magnitudes = new byte[digits.length()];
    for (int i = 0; i < magnitudes.length; i++) {
      magnitudes[i] = (byte) (2 * (digits.charAt(i) - '0') + 1);
    }
    return magnitudes;
  }
}
