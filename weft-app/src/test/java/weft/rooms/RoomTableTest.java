package weft.rooms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RoomTableTest {
  private static final RoomTable TABLE =
      RoomTable.parse(
          """
          | room | its job | sees |
          |---|---|---|
          | `weft.a` | first | the JDK |
          | `weft.a.in` | within `a` | `weft.a` (its values), Jackson |
          | `weft.b` | beside | `a.*` |
          | `weft.c` | unclear | `d`, `in` |
          | `weft.e` | unknown | Guava |
          """);

  @Test
  void namesAreEndsOfRooms() {
    assertThat(TABLE.rooms("weft.a")).isEmpty();
    assertThat(TABLE.rooms("weft.a.in")).containsExactly("weft.a");
    assertThat(TABLE.rooms("weft.b")).containsExactly("weft.a", "weft.a.in");
  }

  @Test
  void wordsAreLibraries() {
    assertThat(TABLE.allows("weft.a.in", "tools.jackson.core")).isTrue();
    assertThat(TABLE.allows("weft.a", "tools.jackson.core")).isFalse();
    assertThat(TABLE.allows("weft.a.in", "tools.jacksonish")).isFalse();
    assertThatThrownBy(() -> TABLE.allows("weft.e", "com.google"))
        .hasMessageContaining("weft.e sees Guava, which is no library of ours");
  }

  @Test
  void aNameOfNoRoomIsRefused() {
    assertThatThrownBy(() -> TABLE.rooms("weft.c"))
        .hasMessageContaining("weft.c sees `d`, which is the name of no room");
  }
}
