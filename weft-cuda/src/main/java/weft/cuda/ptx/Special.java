package weft.cuda.ptx;

/** A register that a thread finds written. */
public enum Special {
  TID_X("%tid.x"),
  NTID_X("%ntid.x"),
  CTAID_X("%ctaid.x"),
  CTAID_Y("%ctaid.y"),
  CTAID_Z("%ctaid.z"),
  NCTAID_X("%nctaid.x"),
  NCTAID_Y("%nctaid.y"),
  NCTAID_Z("%nctaid.z"),
  LANE("%laneid");

  private final String text;

  Special(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
