package weft.chat;

import weft.generate.Seen;

/**
 * What a model sees of a moment of a video.
 *
 * @param second of the video, from its beginning
 */
public record Glimpse(double second, Seen seen) {}
