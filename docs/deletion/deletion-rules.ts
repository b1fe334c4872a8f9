import { allReferences } from '../../packages/core/src/resources/references/all-references.ts'

const section = /(<!-- references -->\n).*?(<!-- \/references -->)/s

/**
 * Returns a page with the table of all references between its markers.
 *
 * @throws Error when the page has no markers.
 */
export function withDeletionRules(page: string): string {
  if (!section.test(page)) throw new Error('the page has no markers for the table of references')
  return page.replace(section, (_, before: string, after: string) => `${before}\n${table()}\n\n${after}`)
}

function table(): string {
  const rows = allReferences.map(({ from, property, otherProperties = [], to, rule, why = '' }) => {
    const properties = [property, ...otherProperties].map((name) => `\`${name}\``).join(', ')
    return `| ${to.name} | ${from.name} | ${properties} | ${rule} | ${why} |`
  })
  // Two kinds of approval requests have the same stored properties, so a row that both have appears once.
  return ['| deleted | referrer | property | rule | reason |', '|---|---|---|---|---|', ...new Set(rows.sort())].join(
    '\n',
  )
}
