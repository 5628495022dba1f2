/** Why there is no archive, or why one cannot be used, in a sentence for whoever asked. */
export class ArchiveFailed extends Error {}
