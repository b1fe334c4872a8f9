/** Time in ms for which an exposure may arrive later than an event that it precedes; SDKs report no older times. */
export const latenessMs = 24 * 60 * 60 * 1000
