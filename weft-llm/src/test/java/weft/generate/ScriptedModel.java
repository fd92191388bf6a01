package weft.generate;

/** Says the same tokens after a prompt of known length, whatever it is fed; then token 0. */
class ScriptedModel extends FakeModel {
  private final int promptLength;
  private final int[] script;

  ScriptedModel(int vocabularySize, int promptLength, int... script) {
    super(vocabularySize, 1);
    this.promptLength = promptLength;
    this.script = script;
  }

  @Override
  float[] row(long hash, int length) {
    float[] row = new float[vocabularySize()];
    int index = length - promptLength;
    row[index >= 0 && index < script.length ? script[index] : 0] = 10;
    return row;
  }
}
