package weft.serve.llama;

import java.util.OptionalInt;
import weft.generate.Sampling;
import weft.load.Version;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.web.Json;
import weft.serve.web.Visit;
import weft.text.tokenizer.Tokenizer;

/** {@code /props}: what a model is like, and how it answers unless it is told otherwise. */
final class Props {
  private final Answering answering;

  Props(Answering answering) {
    this.answering = answering;
  }

  /** Where files lie is nobody's business: a model is known by its name. */
  void show(Visit visit) {
    try (var lease = answering.lend(visit.query("model").orElse(Ask.FIRST_MODEL))) {
      var model = lease.model();
      var usual = Sampling.seeded(0);
      var props = Json.object();
      var defaults = props.putObject("default_generation_settings");
      defaults.put("n_ctx", model.contextLength());
      defaults
          .putObject("params")
          .put("n_predict", -1)
          .put("seed", -1)
          .put("temperature", usual.temperature())
          .put("top_k", usual.topK())
          .put("top_p", usual.topP())
          .put("min_p", usual.minP());
      props.put("total_slots", model.report().capacity().parallel());
      props.put("model_alias", lease.name());
      props.put("model_path", lease.name());
      props.putObject("modalities").put("vision", model.sight().isPresent()).put("audio", false);
      props.put("chat_template", model.text().templateSource().orElse(""));
      props.put("bos_token", token(model.tokenizer(), model.tokenizer().bos()));
      props.put("eos_token", token(model.tokenizer(), model.tokenizer().eos()));
      props.put("build_info", "weft " + Version.TEXT);
      visit.send(200, props);
    }
  }

  private static String token(Tokenizer tokenizer, OptionalInt id) {
    return id.isPresent() ? tokenizer.token(id.getAsInt()) : "";
  }
}
