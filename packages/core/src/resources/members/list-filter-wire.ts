import * as v from 'valibot'

/**
 * `filter` in a query: `field:value` terms joined by `,`, all of which must hold; of a field that is named twice the
 * last counts.
 *
 * @param fields those that may be named.
 */
export const listFilter = <const Field extends string>(...fields: readonly Field[]) =>
  v.optional(
    v.pipe(
      v.string(),
      v.rawTransform(({ dataset, addIssue }): Partial<Record<Field, string>> => {
        const found = new Map<Field, string>()
        for (const term of dataset.value.split(',').filter((one) => one !== '')) {
          const [, name, value] = /^([^:]+):(.+)$/.exec(term) ?? []
          const field = fields.find((one) => one === name)
          if (field === undefined || value === undefined) {
            addIssue({ message: `must be terms such as ${fields[0]}:value; its fields are ${fields.join(', ')}` })
          } else found.set(field, value)
        }
        return Object.fromEntries(found) as Partial<Record<Field, string>>
      }),
    ),
    '',
  )
