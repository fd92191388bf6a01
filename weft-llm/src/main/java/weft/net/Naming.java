package weft.net;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How Transformers names what GGUF names otherwise: configuration keys and tensors. In tensor
 * patterns {@code {}} is the layer and {@code {*}} counts equal parts that GGUF keeps as one
 * tensor.
 */
public final class Naming {
  private record TensorRule(Pattern pattern, String canonical) {}

  /** A tensor's canonical name, and which part of it this is where it comes in parts. */
  public record Place(String tensor, Optional<Integer> part) {}

  private final Map<String, String> keys = new LinkedHashMap<>();
  private final List<TensorRule> tensors = new ArrayList<>();

  private Naming() {}

  /** The names that all decoder families of Transformers share. */
  public static Naming transformers() {
    return new Naming()
        .key("num_hidden_layers", "block_count")
        .key("hidden_size", "embedding_length")
        .key("intermediate_size", "feed_forward_length")
        .key("max_position_embeddings", "context_length")
        .key("num_attention_heads", "attention.head_count")
        .key("num_key_value_heads", "attention.head_count_kv")
        .key("head_dim", "attention.key_length")
        .key("rms_norm_eps", "attention.layer_norm_rms_epsilon")
        .key("sliding_window", "attention.sliding_window")
        .key("vocab_size", "vocab_size")
        .key("hidden_act", "activation")
        .key("hidden_activation", "activation")
        .key("partial_rotary_factor", "rope.partial_factor")
        .key("rope_theta", "rope.freq_base")
        .rope("rope_scaling", "rope")
        .rope("rope_parameters", "rope")
        .tensor("model.embed_tokens", "token_embd")
        .tensor("model.norm", "output_norm")
        .tensor("lm_head", "output")
        .layer("input_layernorm", "attn_norm")
        .layer("post_attention_layernorm", "ffn_norm")
        .layer("self_attn.q_proj", "attn_q")
        .layer("self_attn.k_proj", "attn_k")
        .layer("self_attn.v_proj", "attn_v")
        .layer("self_attn.o_proj", "attn_output")
        .layer("mlp.gate_proj", "ffn_gate")
        .layer("mlp.up_proj", "ffn_up")
        .layer("mlp.down_proj", "ffn_down");
  }

  public Naming key(String transformers, String canonical) {
    keys.put(transformers, canonical);
    return this;
  }

  /** The keys of one group of rope parameters. */
  public Naming rope(String group, String canonical) {
    return key(group + ".rope_theta", canonical + ".freq_base")
        .key(group + ".rope_type", canonical + ".scaling.type")
        .key(group + ".type", canonical + ".scaling.type")
        .key(group + ".factor", canonical + ".scaling.factor")
        .key(
            group + ".original_max_position_embeddings",
            canonical + ".scaling.original_context_length")
        .key(group + ".low_freq_factor", canonical + ".scaling.low_freq_factor")
        .key(group + ".high_freq_factor", canonical + ".scaling.high_freq_factor")
        .key(group + ".attention_factor", canonical + ".scaling.attn_factor")
        .key(group + ".beta_fast", canonical + ".scaling.yarn_beta_fast")
        .key(group + ".beta_slow", canonical + ".scaling.yarn_beta_slow")
        .key(group + ".mscale", canonical + ".scaling.mscale")
        .key(group + ".mscale_all_dim", canonical + ".scaling.mscale_all_dim")
        .key(group + ".truncate", canonical + ".scaling.truncate")
        .key(group + ".short_factor", canonical + ".scaling.short_factor")
        .key(group + ".long_factor", canonical + ".scaling.long_factor")
        .key(group + ".partial_rotary_factor", canonical + ".partial_factor");
  }

  /** A tensor outside the layers. The latest rule for a name holds. */
  public Naming tensor(String transformers, String canonical) {
    // A model with several towers keeps its text tower one level down.
    var stem =
        Pattern.quote(transformers)
            .replaceFirst("^\\\\Qmodel\\.", "\\\\Qmodel.\\\\E(?:language_model\\\\.)?\\\\Q");
    var pattern =
        stem.replace("{}", "\\E(?<layer>\\d{1,6})\\Q").replace("{*}", "\\E(?<part>\\d{1,6})\\Q");
    tensors.addFirst(
        new TensorRule(Pattern.compile(pattern + "(?<suffix>\\.weight|\\.bias)?"), canonical));
    return this;
  }

  /** A tensor of every layer. */
  public Naming layer(String transformers, String canonical) {
    return tensor("model.layers.{}." + transformers, "blk.{}." + canonical);
  }

  /** Every configuration key with its canonical name, later rules last. */
  public Map<String, String> keys() {
    return Map.copyOf(keys);
  }

  /** Where a tensor of this name belongs; empty when no rule knows it. */
  public Optional<Place> place(String transformers) {
    for (var rule : tensors) {
      var match = rule.pattern.matcher(transformers);
      if (!match.matches()) continue;
      var groups = match.namedGroups();
      var name = rule.canonical;
      if (groups.containsKey("layer")) name = name.replace("{}", match.group("layer"));
      var suffix = match.group("suffix");
      Optional<Integer> part =
          groups.containsKey("part")
              ? Optional.of(Integer.parseInt(match.group("part")))
              : Optional.empty();
      return Optional.of(new Place(suffix == null ? name : name + suffix, part));
    }
    return Optional.empty();
  }
}
