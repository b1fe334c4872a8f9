/**
 * Maximum time in ms by which the report of an exposure may arrive after the report of a later event. SDKs report no
 * older times.
 */
export const latenessMs = 24 * 60 * 60 * 1000
