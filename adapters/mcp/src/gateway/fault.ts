// What a person has to mend before anything runs. Knows only its words.

/** A command line or a configuration that cannot be used: said on standard error, and the program ends with code 2. */
export class UsageError extends Error {}
