/** Maximum number of values of a sample. */
export const maxSampleValues = 8

/** The columns of its values. */
export const valueColumns = Array.from({ length: maxSampleValues }, (_, column) => `v${column}`)
