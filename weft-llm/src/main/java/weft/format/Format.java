package weft.format;

/** The file formats that a checkpoint may come in. */
public enum Format {
  GGUF,
  SAFETENSORS
}
