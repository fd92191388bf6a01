package weft.chat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import weft.generate.Engine;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Request;
import weft.generate.Session;
import weft.generate.Ticket;

/** A model that says the tokens it was given to say, and notes the prompts it was asked with. */
final class Scripted implements ChatModel, Model {
  private static final int CONTEXT = 1000;

  private final ChatPrompts prompts;
  private final Set<Integer> ends;
  private final Deque<Integer> script = new ArrayDeque<>();
  private final Engine engine;
  final List<int[]> asked = new ArrayList<>();

  Scripted(ChatPrompts prompts, int... ends) {
    this.prompts = prompts;
    this.ends = Set.copyOf(Arrays.stream(ends).boxed().toList());
    this.engine = Engine.start(this);
  }

  Scripted saying(int... tokens) {
    for (int token : tokens) script.add(token);
    return this;
  }

  @Override
  public ChatPrompts prompts() {
    return prompts;
  }

  @Override
  public Request request(int... prompt) {
    return Request.of(prompt).withEnds(ends);
  }

  @Override
  public Ticket submit(Request request) {
    asked.add(request.prompt());
    return engine.submit(request);
  }

  @Override
  public List<Logits[]> forward(List<Step> batch) {
    var all = new ArrayList<Logits[]>();
    for (var step : batch) {
      ((Place) step.session()).position += step.tokens().length;
      var rows = new Logits[step.wanted()];
      for (int i = 0; i < rows.length; i++) {
        var row = new float[vocabularySize()];
        row[script.isEmpty() ? 0 : script.remove()] = 1;
        rows[i] = Logits.of(row);
      }
      all.add(rows);
    }
    return all;
  }

  @Override
  public int vocabularySize() {
    return prompts.tokenizer().vocabularySize();
  }

  @Override
  public int contextLength() {
    return CONTEXT;
  }

  @Override
  public Session open() {
    return new Place();
  }

  @Override
  public void close() {
    engine.close();
  }

  /** Where a sequence is; there is no more to know. */
  private static final class Place implements Session {
    private int position;

    @Override
    public int position() {
      return position;
    }

    @Override
    public void rewind(int to) {
      position = to;
    }

    @Override
    public int nearest(int to) {
      return to;
    }

    @Override
    public Session fork(int to) {
      var forked = new Place();
      forked.position = to;
      return forked;
    }

    @Override
    public void close() {}
  }
}
