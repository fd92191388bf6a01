package weft.chat;

import java.util.List;
import weft.generate.Seen;

/** What a mark in a prompt stands for. */
sealed interface View {
  /** As many as there are placeholders for it. */
  List<Seen> seen();

  /** What templates call it. */
  String type();

  record Still(Seen picture) implements View {
    @Override
    public List<Seen> seen() {
      return List.of(picture);
    }

    @Override
    public String type() {
      return "image";
    }
  }

  record Film(List<Glimpse> moments) implements View {
    @Override
    public List<Seen> seen() {
      return moments.stream().map(Glimpse::seen).toList();
    }

    @Override
    public String type() {
      return "video";
    }
  }
}
