package weft.cuda.interpret;

import java.util.List;
import java.util.Map;

/**
 * A kernel in the form that runs: instructions over the places of registers.
 *
 * @param words places of 32 bits, one a register; numbers in instructions have places too
 * @param sharedGranule the bytes of the smallest access to shared memory: what races are told by
 * @param beginsEarly whether it waits itself for the launches before it
 * @param meetsBlocks whether blocks of a launch wait for each other
 */
record Kernel(
    String name,
    List<ParsedKernel.Parameter> parameters,
    Instruction[] code,
    int words,
    int wides,
    int preds,
    Map<Integer, Integer> wordNumbers,
    Map<Integer, Long> wideNumbers,
    Map<String, Integer> specials,
    int sharedBytes,
    int sharedGranule,
    int mostThreads,
    boolean beginsEarly,
    boolean meetsBlocks) {}
