/** Maximum number of values of a sample. */
export const maxSampleValues = 8

/** The columns of the values of a sample. */
export const valueColumns = Array.from({ length: maxSampleValues }, (_, column) => `v${column}`)
