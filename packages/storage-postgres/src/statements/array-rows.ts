/**
 * Returns rows made of arrays of the same length, each of which is a column, as a source for `from`.
 *
 * The planner must estimate a single row, whatever the length of the arrays, so that it uses an index for the table
 * that is joined with them. It cannot know the length of an array from a subquery, and assumes that an unknown limit
 * leaves a tenth of the rows. With a larger estimate it would read a whole table whose statistics say that it is small.
 *
 * @param arrays SQL expressions of the arrays.
 */
export function arrayRows(arrays: readonly string[]): string {
  const [first] = arrays
  return `(select * from unnest(${arrays.map(ofHiddenLength).join(', ')}) limit (select cardinality(${first})))`
}

/**
 * Returns an array as an expression whose length the planner does not know, so that its plan is good for any length.
 */
export function ofHiddenLength(array: string): string {
  return `(select ${array})`
}
