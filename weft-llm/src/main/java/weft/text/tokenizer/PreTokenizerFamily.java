package weft.text.tokenizer;

import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import weft.text.TextException;

/**
 * The pre-tokenizers that GGUF files only name. The patterns are those of the models' own
 * tokenizer.json files; where llama.cpp has an approximation, this has the original.
 */
enum PreTokenizerFamily {
  DEFAULT(
      plain(),
      "[\\p{P}\\$\\+<=>\\^~\\|]+",
      PreTokenizer.GPT2_PATTERN,
      "\\p{N}+",
      "[0-9][0-9][0-9]"),
  GPT2(plain(), PreTokenizer.GPT2_PATTERN),
  GPT_NEOX(composed(), PreTokenizer.GPT2_PATTERN),
  LLAMA3(new Rules(Normalizer.NONE, BpeModel.WholeWords.TAKEN, true, Set.of()), Patterns.LLAMA3),
  CHATGLM4(plain(), Patterns.LLAMA3),
  QWEN2(qwen(), Patterns.QWEN2),
  HUNYUAN(plain(), Patterns.QWEN2),
  QWEN35(
      qwen(),
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}"
          + "| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
  SINGLE_DIGITS(plain(), "\\p{N}", PreTokenizer.GPT2_PATTERN),
  DEEPSEEK_V3(
      plain(),
      "\\p{N}{1,3}",
      "[一-龥぀-ゟ゠-ヿ]+",
      "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+"
          + "|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*"
          + "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
  DEEPSEEK_LLM(
      plain(),
      "[\\r\\n]",
      "\\s?" + Patterns.CASED_LETTERS + "+",
      "\\s?[!-/:-~！-／：-～‘-‟　-。]+",
      "\\s+$",
      "[一-龥ࠀ-一가-퟿]+",
      "\\p{N}"),
  DEEPSEEK_CODER(plain(), "[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", "[一-龥ࠀ-一가-퟿]+", "\\p{N}"),
  FALCON(plain(), "[\\p{P}\\$\\+<=>\\^~\\|`]+", PreTokenizer.GPT2_PATTERN, "[0-9][0-9][0-9]"),
  BLOOM(plain(), " ?[^(\\s|.,!?…。，、।۔،)]+"),
  VIKING(plain(), " ?[^(\\s|.,!?…。，、।۔،)]+", "\\p{N}"),
  TEKKEN(
      new Rules(Normalizer.NONE, BpeModel.WholeWords.TAKEN, true, Set.of()),
      "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+"
          + "|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*"
          + "|\\p{N}"
          + Patterns.SYMBOLS_WITH_SLASHES),
  GPT4O(plain(), Patterns.CASED_WORDS + "|\\p{N}{1,3}" + Patterns.SYMBOLS_WITH_SLASHES),
  SEED_CODER(
      plain(),
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1}"
          + "| ?[^\\s\\p{L}\\p{N}\\r\\n]+|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
  BAILING(
      plain(),
      "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*"
          + "|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+"),
  EXAONE_MOE(
      plain(),
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?(?:\\p{L}\\p{M}*(?: \\p{L}\\p{M}*)*)+|\\p{N}"
          + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]?|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+"),
  MINICPM5(
      new Rules(Normalizer.NONE, BpeModel.WholeWords.TAKEN, false, Set.of()),
      "\\p{N}{1,3}",
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}+"
          + Patterns.SYMBOLS_AND_SPACES),
  JAIS2(
      plain(),
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
          + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+"
          + "|\\s{512}(?!\\S)|\\s{256}(?!\\S)|\\s{128}(?!\\S)|\\s{64}(?!\\S)|\\s{32}(?!\\S)"
          + "|\\s{16}(?!\\S)|\\s{8}(?!\\S)|\\s{4}(?!\\S)|\\s{1,2}(?!\\S)|\\s{1}"),
  GROUPED_DIGITS(
      plain(),
      "\\d{1,3}(?=(?:\\d{3})*\\b)",
      Patterns.CASED_WORDS + "|\\p{N}{1,3}" + Patterns.SYMBOLS_WITH_SLASHES);

  private static final Map<String, PreTokenizerFamily> NAMES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("default", DEFAULT),
              Map.entry("gpt-2", GPT2),
              Map.entry("phi-2", GPT2),
              Map.entry("gigachat", GPT2),
              Map.entry("mellum", GPT2),
              Map.entry("exaone4", GPT2),
              Map.entry("a.x-4.0", GPT2),
              Map.entry("jais", GPT2),
              Map.entry("trillion", GPT2),
              Map.entry("granite-docling", GPT2),
              Map.entry("mpt", GPT_NEOX),
              Map.entry("olmo", GPT_NEOX),
              Map.entry("llama3", LLAMA3),
              Map.entry("llama-v3", LLAMA3),
              Map.entry("llama-bpe", LLAMA3),
              Map.entry("falcon3", LLAMA3),
              Map.entry("falcon-h1", LLAMA3),
              Map.entry("pixtral", LLAMA3),
              Map.entry("midm-2.0", LLAMA3),
              Map.entry("lfm2", LLAMA3),
              Map.entry("dbrx", CHATGLM4),
              Map.entry("smaug-bpe", CHATGLM4),
              Map.entry("glm4", CHATGLM4),
              Map.entry("chatglm-bpe", CHATGLM4),
              Map.entry("qwen2", QWEN2),
              Map.entry("deepseek-r1-qwen", QWEN2),
              Map.entry("megrez", QWEN2),
              Map.entry("stablelm2", HUNYUAN),
              Map.entry("hunyuan", HUNYUAN),
              Map.entry("solar-open", HUNYUAN),
              Map.entry("grok-2", HUNYUAN),
              Map.entry("qwen35", QWEN35),
              Map.entry("starcoder", SINGLE_DIGITS),
              Map.entry("refact", SINGLE_DIGITS),
              Map.entry("command-r", SINGLE_DIGITS),
              Map.entry("smollm", SINGLE_DIGITS),
              Map.entry("codeshell", SINGLE_DIGITS),
              Map.entry("exaone", SINGLE_DIGITS),
              Map.entry("minerva-7b", SINGLE_DIGITS),
              Map.entry("deepseek-llm", DEEPSEEK_LLM),
              Map.entry("exaone-moe", EXAONE_MOE),
              Map.entry("minicpm5", MINICPM5),
              Map.entry("jais-2", JAIS2),
              Map.entry("deepseek-coder", DEEPSEEK_CODER),
              Map.entry("deepseek-v3", DEEPSEEK_V3),
              Map.entry("hunyuan-dense", DEEPSEEK_V3),
              Map.entry("joyai-llm", DEEPSEEK_V3),
              Map.entry("falcon", FALCON),
              Map.entry("bloom", BLOOM),
              Map.entry("poro-chat", BLOOM),
              Map.entry("gpt3-finnish", BLOOM),
              Map.entry("viking", VIKING),
              Map.entry("tekken", TEKKEN),
              Map.entry("gpt-4o", GPT4O),
              Map.entry("llama4", GPT4O),
              Map.entry("minimax-m2", GPT4O),
              Map.entry("kanana2", GPT4O),
              Map.entry("seed-coder", SEED_CODER),
              Map.entry("bailingmoe", BAILING),
              Map.entry("bailingmoe2", BAILING),
              Map.entry("llada-moe", BAILING),
              Map.entry("tiny_aya", GROUPED_DIGITS),
              Map.entry("cohere2moe", GROUPED_DIGITS)));

  private final Rules rules;
  private final List<String> patterns;

  PreTokenizerFamily(Rules rules, String... patterns) {
    this.rules = rules;
    this.patterns = List.of(patterns);
  }

  /**
   * What a family does beyond cutting: its normalizer, and what llama.cpp derives from the name
   * alone.
   */
  private record Rules(
      Normalizer normalizer,
      BpeModel.WholeWords wholeWords,
      boolean addsBos,
      Set<String> ordinary) {}

  /** Pieces of patterns that many families share. */
  private static final class Patterns {
    /** Letters that have case, as DeepSeek's file lists them: not quite what Unicode says. */
    static final String CASED_LETTERS =
        "[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿ"
            + "ᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨ"
            + "K-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀"
            + "-𐳲𑢠-𑣟𞤀-𞥃]";

    static final String SYMBOLS_AND_SPACES =
        "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    static final String LLAMA3 =
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
            + SYMBOLS_AND_SPACES;
    static final String QWEN2 =
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}" + SYMBOLS_AND_SPACES;
    static final String SYMBOLS_WITH_SLASHES =
        "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    static final String CASED_WORDS =
        "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+"
            + "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
            + "|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+"
            + "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?";
  }

  private static Rules plain() {
    return new Rules(Normalizer.NONE, BpeModel.WholeWords.MERGED, false, Set.of());
  }

  private static Rules composed() {
    return new Rules(new Normalizer.Unicode(Form.NFC), BpeModel.WholeWords.MERGED, false, Set.of());
  }

  private static Rules qwen() {
    // Qwen's files have these as ordinary tokens; converters take them for control tokens by their
    // looks.
    return new Rules(
        new Normalizer.Unicode(Form.NFC),
        BpeModel.WholeWords.MERGED,
        false,
        Set.of(
            "<|fim_prefix|>",
            "<|fim_middle|>",
            "<|fim_suffix|>",
            "<|fim_pad|>",
            "<|repo_name|>",
            "<|file_sep|>"));
  }

  /** The family that a file names; files from before there were names have the default one. */
  static PreTokenizerFamily named(String name) {
    PreTokenizerFamily family = NAMES.get(name.isEmpty() ? "default" : name);
    if (family == null) {
      throw new TextException(
          "tokenizer.ggml.pre is '"
              + name
              + "', a pre-tokenizer that weft does not know; it knows "
              + String.join(", ", NAMES.keySet())
              + ". Use the model's tokenizer.json instead.");
    }
    return family;
  }

  Normalizer normalizer() {
    return rules.normalizer;
  }

  BpeModel.WholeWords wholeWords() {
    return rules.wholeWords;
  }

  /** Added tokens that are not special, whatever the file says. */
  Set<String> ordinary() {
    return rules.ordinary;
  }

  boolean addsBos() {
    return rules.addsBos;
  }

  PreTokenizer preTokenizer() {
    var steps = new ArrayList<PreTokenizer>();
    for (String pattern : patterns) {
      steps.add(PreTokenizer.Split.isolating(pattern));
    }
    steps.add(new PreTokenizer.ByteLevel());
    return new PreTokenizer.Chain(List.copyOf(steps));
  }
}
