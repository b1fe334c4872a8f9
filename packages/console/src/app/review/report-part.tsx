import type { ComponentChildren } from 'preact'

/** A part of a report about a change: a heading and a list. */
export function ReportPart({ title, items }: { title: string; items: readonly ComponentChildren[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
    </section>
  )
}
