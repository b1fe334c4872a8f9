import type { ComponentChildren } from 'preact'

/**
 * A table whose rows are stacked on a narrow screen. The first cell of a row is its heading.
 *
 * @param label label of the table, for screen readers.
 * @param rows the rows, each with a key and one cell for each column.
 */
export function DataTable({
  label,
  columns,
  rows,
  empty,
}: {
  label: string
  columns: readonly string[]
  rows: readonly { readonly key: string; readonly cells: readonly ComponentChildren[] }[]
  empty: string
}) {
  if (rows.length === 0) return <p class="quiet">{empty}</p>
  return (
    <table class="stacked" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [heading, ...cells] }) => (
          <tr key={key}>
            <th scope="row">{heading}</th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]} data-label={columns[index + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
