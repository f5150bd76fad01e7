// The two names of capability tools that this package has to tell from the third. Knows nothing of what they do.

/** The tool that a recall seems to have called. */
export const searchName = "search_capabilities";

/** The tool behind which all catalogued tools run. */
export const invokeName = "invoke_tool";
