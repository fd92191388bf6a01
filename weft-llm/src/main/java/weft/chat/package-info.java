/**
 * Conversations with a model: messages of parts, tools as data, thinking told from answers, and
 * prompts whose control tokens come from the model's template alone.
 *
 * <p>{@link weft.chat.Conversation} is where to begin; a loaded model opens one. Records and enums
 * here are values, safe for all threads.
 */
@NullMarked
package weft.chat;

import org.jspecify.annotations.NullMarked;
