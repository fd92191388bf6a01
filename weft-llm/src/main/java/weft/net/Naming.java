package weft.net;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a format names what GGUF names otherwise: configuration keys and tensors. In tensor patterns
 * {@code {}} is the layer and {@code {*}} counts equal parts that GGUF keeps as one tensor.
 */
public final class Naming {
  /** A rule for names; its pattern is compiled when it first meets one, for most never do. */
  private static final class TensorRule {
    private final String theirs;
    private final List<String> canonical;
    private volatile Optional<Pattern> compiled = Optional.empty();

    TensorRule(String theirs, List<String> canonical) {
      this.theirs = theirs;
      this.canonical = canonical;
    }

    /** Threads that meet here compile the same. */
    Matcher match(String name) {
      if (compiled.isEmpty()) compiled = Optional.of(pattern(theirs));
      return compiled.get().matcher(name);
    }
  }

  /** A model with several towers keeps its text tower one level down, or up. */
  private static final Pattern TEXT_TOWER = Pattern.compile("(^|\\.)language_model\\.");

  /** What their names of a layer's tensors begin with, and ours. */
  private static final String LAYER = "model.layers.{}.";

  private static final String OWN_LAYER = "blk.{}.";

  /** What a tensor of the file is to the model. */
  public sealed interface Place {
    /** The canonical name. */
    String tensor();

    /** All of it. */
    record Whole(String tensor) implements Place {}

    /** One of equal parts along a first axis of their own. */
    record Part(String tensor, int index) implements Place {}

    /** One of {@code of} equal shares of its second axis. */
    record Share(String tensor, int index, int of) implements Place {}
  }

  private final Map<String, String> keys = new LinkedHashMap<>();
  private final Map<String, Object> assumed = new LinkedHashMap<>();
  private final List<TensorRule> tensors = new ArrayList<>();

  /** What some files begin all names with. */
  private final String outer;

  private Naming(String outer) {
    this.outer = outer;
  }

  /** GGUF's own names; some files keep two tensors in one. */
  public static Naming gguf() {
    return new Naming("")
        .tensor("blk.{}.ffn_gate_up_exps", "blk.{}.ffn_gate_exps", "blk.{}.ffn_up_exps");
  }

  /** The names that all decoder families of Transformers share. */
  public static Naming transformers() {
    return new Naming("")
        .key("num_hidden_layers", "block_count")
        .key("hidden_size", "embedding_length")
        .key("intermediate_size", "feed_forward_length")
        .key("max_position_embeddings", "context_length")
        .key("num_attention_heads", "attention.head_count")
        .key("num_key_value_heads", "attention.head_count_kv")
        .key("head_dim", "attention.key_length")
        .key("rms_norm_eps", "attention.layer_norm_rms_epsilon")
        .key("sliding_window", "attention.sliding_window")
        .key("layer_types", "layer_types")
        .key("hidden_act", "activation")
        .key("tie_word_embeddings", "tied")
        .key("partial_rotary_factor", "rope.partial_factor")
        .key("rope_theta", "rope.freq_base")
        .rope("rope_scaling", "")
        .rope("rope_parameters", "")
        .key("original_max_position_embeddings", "rope.scaling.original_context_length")
        .tensor("model.embed_tokens", "token_embd")
        .tensor("model.norm", "output_norm")
        .tensor("lm_head", "output")
        .layer("input_layernorm", "attn_norm")
        .layer("post_attention_layernorm", "ffn_norm")
        .layer("self_attn.q_proj", "attn_q")
        .layer("self_attn.k_proj", "attn_k")
        .layer("self_attn.v_proj", "attn_v")
        .layer("self_attn.o_proj", "attn_output")
        .layer("self_attn.q_norm", "attn_q_norm")
        .layer("self_attn.k_norm", "attn_k_norm")
        .layer("mlp.gate_proj", "ffn_gate")
        .layer("mlp.up_proj", "ffn_up")
        .layer("mlp.down_proj", "ffn_down");
  }

  /** The keys that the vision towers of Transformers share. */
  public static Naming tower() {
    return new Naming("model.")
        .key("vision_config.num_hidden_layers", "vision.block_count")
        .key("vision_config.hidden_size", "vision.embedding_length")
        .key("vision_config.intermediate_size", "vision.feed_forward_length")
        .key("vision_config.num_attention_heads", "vision.attention.head_count")
        .key("vision_config.layer_norm_eps", "vision.attention.layer_norm_epsilon")
        .key("vision_config.hidden_act", "vision.activation")
        .key("vision_config.image_size", "vision.image_size")
        .key("vision_config.patch_size", "vision.patch_size");
  }

  /** Where two keys mean the same, the one named later holds. */
  public Naming key(String theirs, String canonical) {
    keys.remove(theirs);
    keys.put(theirs, canonical);
    return this;
  }

  /** What a configuration that is silent about a canonical key means. */
  public Naming assuming(String canonical, Object value) {
    assumed.put(canonical, value);
    return this;
  }

  /** The keys of one group of rope parameters; the suffix tells several ropes apart. */
  public Naming rope(String group, String suffix) {
    var scaling = "rope.scaling" + suffix;
    return key(group + ".rope_theta", "rope.freq_base" + suffix)
        .key(group + ".type", scaling + ".type")
        .key(group + ".rope_type", scaling + ".type")
        .key(group + ".factor", scaling + ".factor")
        .key(group + ".original_max_position_embeddings", scaling + ".original_context_length")
        .key(group + ".low_freq_factor", scaling + ".low_freq_factor")
        .key(group + ".high_freq_factor", scaling + ".high_freq_factor")
        .key(group + ".attention_factor", scaling + ".yarn_attn_factor")
        .key(group + ".beta_fast", scaling + ".yarn_beta_fast")
        .key(group + ".beta_slow", scaling + ".yarn_beta_slow")
        .key(group + ".mscale", scaling + ".mscale")
        .key(group + ".mscale_all_dim", scaling + ".mscale_all_dim")
        .key(group + ".truncate", scaling + ".truncate")
        .key(group + ".short_factor", scaling + ".short_factor")
        .key(group + ".mrope_section", "rope.dimension_sections")
        .key(group + ".partial_rotary_factor", "rope.partial_factor");
  }

  /**
   * A tensor outside the layers; several canonical names share its second axis equally. The latest
   * rule for a name holds.
   */
  public Naming tensor(String theirs, String... canonical) {
    tensors.addFirst(new TensorRule(theirs, List.of(canonical)));
    return this;
  }

  private static Pattern pattern(String template) {
    var name =
        Pattern.quote(template)
            .replace("{}", "\\E(?<layer>\\d{1,6})\\Q")
            .replace("{*}", "\\E(?<part>\\d{1,6})\\Q");
    return Pattern.compile(name + "(?<suffix>\\.weight|\\.bias)?");
  }

  /** A template with what the name that matched another one has in its places. */
  private static String filled(String template, Matcher match) {
    boolean isLayered = match.namedGroups().containsKey("layer");
    var name = isLayered ? template.replace("{}", match.group("layer")) : template;
    var suffix = match.group("suffix");
    return suffix == null || name.endsWith(suffix) ? name : name + suffix;
  }

  /** A tensor of every layer. */
  public Naming layer(String theirs, String... canonical) {
    var inLayer = List.of(canonical).stream().map(OWN_LAYER::concat);
    return tensor(LAYER + theirs, inLayer.toArray(String[]::new));
  }

  /**
   * Every tensor of a layer under a second prefix too, as a head names layers of its own; {@code
   * theirs} and {@code canonical} end where a tensor's name in its layer begins.
   */
  public Naming layersOf(String theirs, String canonical) {
    // Behind the others: most tensors are the trunk's, and never come this far.
    for (var rule : List.copyOf(tensors)) {
      if (!rule.theirs.startsWith(LAYER)) continue;
      var names =
          rule.canonical.stream().map(name -> canonical + name.substring(OWN_LAYER.length()));
      tensors.addLast(
          new TensorRule(theirs + rule.theirs.substring(LAYER.length()), names.toList()));
    }
    return this;
  }

  /** Every configuration key with its canonical name, in the order that later ones override. */
  public Map<String, String> keys() {
    return Collections.unmodifiableMap(keys);
  }

  /** The values of canonical keys that a configuration need not write down. */
  public Map<String, Object> assumed() {
    return Collections.unmodifiableMap(assumed);
  }

  /** What a tensor of this name is to the model; empty when no rule knows it. */
  public List<Place> places(String theirs) {
    var inner = theirs.startsWith(outer) ? theirs.substring(outer.length()) : theirs;
    var name = outer.isEmpty() ? TEXT_TOWER.matcher(theirs).replaceFirst("$1") : inner;
    for (var rule : tensors) {
      var match = rule.match(name);
      if (!match.matches()) continue;
      var places = new ArrayList<Place>();
      for (var canonical : rule.canonical) {
        var full = filled(canonical, match);
        if (match.namedGroups().containsKey("part")) {
          places.add(new Place.Part(full, Integer.parseInt(match.group("part"))));
        } else if (rule.canonical.size() > 1) {
          places.add(new Place.Share(full, places.size(), rule.canonical.size()));
        } else {
          places.add(new Place.Whole(full));
        }
      }
      return places;
    }
    return List.of();
  }

  /** What they call a tensor of this canonical name, as far as a rule knows. */
  public String theirs(String tensor) {
    for (var rule : tensors) {
      for (var canonical : rule.canonical) {
        var match = pattern(canonical).matcher(tensor);
        if (match.matches()) return filled(rule.theirs, match);
      }
    }
    return tensor;
  }
}
