package weft.serve.batch;

/**
 * What became of a batch.
 *
 * @param lines requests in the file
 * @param skipped those that were answered before
 * @param answered those that were answered now
 * @param failed those that got an error now
 * @param tokens what was made for those answered now
 * @param isStopped whether lines are left because the batch was stopped
 */
public record BatchReport(
    int lines, int skipped, int answered, int failed, long tokens, boolean isStopped) {}
