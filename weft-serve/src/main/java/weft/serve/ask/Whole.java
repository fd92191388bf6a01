package weft.serve.ask;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Gathers the events of a request to whole answers, for clients that wait. For one thread. */
public final class Whole implements Consumer<Event> {
  /** A tool that is called. */
  public static final class Call {
    private final String id;
    private final String name;
    private final StringBuilder arguments = new StringBuilder();

    private Call(String id, String name) {
      this.id = id;
      this.name = name;
    }

    public String id() {
      return id;
    }

    public String name() {
      return name;
    }

    /** As JSON text. */
    public String arguments() {
      return arguments.toString();
    }
  }

  /** One of the answers. */
  public static final class Answer {
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thought = new StringBuilder();
    private final List<Chance> chances = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();
    private Event.End end = Event.End.CANCELLED;
    private String stop = "";

    private Answer() {}

    public String text() {
      return text.toString();
    }

    public String thought() {
      return thought.toString();
    }

    public List<Chance> chances() {
      return List.copyOf(chances);
    }

    public List<Call> calls() {
      return List.copyOf(calls);
    }

    public Event.End end() {
      return end;
    }

    /** The text that ended it; empty where none did. */
    public String stop() {
      return stop;
    }
  }

  private final List<Answer> answers = new ArrayList<>();
  private String model = Ask.FIRST_MODEL;
  private Optional<Cost> cost = Optional.empty();

  /** Nothing has happened yet, and so many answers are to come. */
  public Whole(int count) {
    for (int i = 0; i < count; i++) answers.add(new Answer());
  }

  @Override
  public void accept(Event event) {
    switch (event) {
      case Event.Begun begun -> model = begun.model();
      case Event.Said said -> {
        var answer = answers.get(said.answer());
        answer.text.append(said.text());
        answer.chances.addAll(said.chances());
      }
      case Event.Thought thought -> answers.get(thought.answer()).thought.append(thought.text());
      case Event.CallBegun call ->
          answers.get(call.answer()).calls.add(new Call(call.id(), call.name()));
      case Event.CallArguments more ->
          answers.get(more.answer()).calls.get(more.index()).arguments.append(more.json());
      case Event.Ended ended -> {
        answers.get(ended.answer()).end = ended.end();
        answers.get(ended.answer()).stop = ended.stop();
      }
      case Event.Spent spent -> cost = Optional.of(spent.cost());
      case Event.Waiting() -> {}
    }
  }

  /** By the name it is served under. */
  public String model() {
    return model;
  }

  public List<Answer> answers() {
    return List.copyOf(answers);
  }

  /** Of all answers; there once they have ended. */
  public Cost cost() {
    return cost.orElseThrow(() -> new IllegalStateException("the answers have not ended"));
  }
}
