package weft.text;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Chat templates of ours for checkpoints without one, by the name of the style their markers
 * follow.
 */
final class ChatStyles {
  private static final String CHATML =
      """
      {%- for message in messages %}
      {{- '<|im_start|>' + message.role + '\\n' + (message.content or '') + '<|im_end|>\\n' }}
      {%- endfor %}
      {%- if add_generation_prompt %}
      {{- '<|im_start|>assistant\\n' }}
      {%- endif %}
      """;

  private static final String HEADERS =
      """
      {{- bos_token | default('') }}
      {%- for message in messages %}
      {{- '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' }}
      {{- (message.content or '') | trim + '<|eot_id|>' }}
      {%- endfor %}
      {%- if add_generation_prompt %}
      {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
      {%- endif %}
      """;

  private static final String TURNS =
      """
      {{- bos_token | default('') }}
      {%- set state = namespace(system='') %}
      {%- for message in messages %}
      {%- if message.role == 'system' %}
      {%- set state.system = (message.content or '') | trim + '\\n\\n' %}
      {%- else %}
      {{- '<start_of_turn>' + ('model' if message.role == 'assistant' else message.role) + '\\n' }}
      {{- state.system + (message.content or '') | trim + '<end_of_turn>\\n' }}
      {%- set state.system = '' %}
      {%- endif %}
      {%- endfor %}
      {%- if add_generation_prompt %}
      {{- '<start_of_turn>model\\n' }}
      {%- endif %}
      """;

  private static final String INSTRUCTIONS =
      """
      {{- bos_token | default('') }}
      {%- set state = namespace(system='') %}
      {%- for message in messages %}
      {%- if message.role == 'system' %}
      {%- set state.system = '<<SYS>>\\n' + (message.content or '') | trim + '\\n<</SYS>>\\n\\n' %}
      {%- elif message.role == 'assistant' %}
      {{- ' ' + (message.content or '') | trim + ' ' + eos_token | default('') }}
      {%- else %}
      {{- '[INST] ' + state.system + (message.content or '') | trim + ' [/INST]' }}
      {%- set state.system = '' %}
      {%- endif %}
      {%- endfor %}
      """;

  private static final String PLAIN =
      """
      {{- bos_token | default('') }}
      {%- for message in messages %}
      {%- if message.role == 'system' %}
      {{- (message.content or '') | trim + '\\n\\n' }}
      {%- else %}
      {{- message.role | capitalize + ': ' + (message.content or '') | trim + '\\n' }}
      {%- endif %}
      {%- endfor %}
      {%- if add_generation_prompt %}
      {{- 'Assistant:' }}
      {%- endif %}
      """;

  private static final Map<String, String> SOURCES =
      new TreeMap<>(
          Map.of(
              "chatml",
              CHATML,
              "headers",
              HEADERS,
              "turns",
              TURNS,
              "instructions",
              INSTRUCTIONS,
              "plain",
              PLAIN));

  private ChatStyles() {}

  static Set<String> names() {
    return Set.copyOf(SOURCES.keySet());
  }

  static String source(String style) {
    String source = SOURCES.get(style);
    if (source == null) {
      throw new TextException(
          "there is no chat template style '"
              + style
              + "'; weft has "
              + String.join(", ", SOURCES.keySet()));
    }
    return source;
  }
}
