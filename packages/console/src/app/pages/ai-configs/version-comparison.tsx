import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { SelectField } from '../../components/fields.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { listAll } from '../../list-all.ts'
import type { AIConfigPlace } from '../../review/reviewed-change.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { type ComparedLine, lineDifferences } from './line-differences.ts'

type Version = ResponseOf<'getAIConfigVariation'>['items'][number]

const { aiConfigs } = texts

/** Two versions of the prompt of a variation, line by line. */
export function VersionComparison({ place, variation }: { place: AIConfigPlace; variation: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{aiConfigs.compare}</summary>
      {isOpen && <Versions place={place} variation={variation} />}
    </details>
  )
}

function Versions({ place, variation }: { place: AIConfigPlace; variation: string }) {
  const keys = { projectKey: place.project, configKey: place.config, variationKey: variation }
  const query = useQuery(`versions ${JSON.stringify(keys)}`, () =>
    listAll((page) => api.getAIConfigVariation({ ...keys, ...page })),
  )
  return <QueryView query={query}>{(versions) => <Comparison versions={versions} />}</QueryView>
}

function Comparison({ versions }: { versions: readonly Version[] }) {
  const numbers = versions.map(({ version }) => version).sort((a, b) => a - b)
  const [before, setBefore] = useState(String(numbers.at(-2) ?? numbers.at(-1)))
  const [after, setAfter] = useState(String(numbers.at(-1)))
  const options = numbers.map((number) => [String(number), aiConfigs.version(number)] as const)
  const textOf = (number: string) => promptText(versions.find(({ version }) => String(version) === number))
  const lines = lineDifferences(textOf(before), textOf(after))
  return (
    <>
      <div class="row">
        <SelectField label={aiConfigs.before} value={before} onValue={setBefore} options={options} />
        <SelectField label={aiConfigs.after} value={after} onValue={setAfter} options={options} />
      </div>
      {lines.every(({ kind }) => kind === 'same') && <p class="quiet">{aiConfigs.same}</p>}
      <pre>
        {lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </pre>
    </>
  )
}

function Line({ line: { kind, text } }: { line: ComparedLine }) {
  if (kind === 'same') return <div>{`  ${text}`}</div>
  const Element = kind === 'removed' ? 'del' : 'ins'
  return (
    <div>
      <Element>
        <span class="visually-hidden">{aiConfigs[kind]} </span>
        {`${kind === 'removed' ? '-' : '+'} ${text}`}
      </Element>
    </div>
  )
}

/** Returns the prompt of a version, and its model, as lines. */
function promptText(version: Version | undefined): string {
  if (!version) return ''
  const { instructions, messages = [], modelConfigKey } = version
  const parts = messages.map(({ role, content }) => `[${role}]\n${content}`)
  return [
    ...(modelConfigKey ? [`${aiConfigs.model}: ${modelConfigKey}`] : []),
    ...(instructions ? [instructions] : []),
    ...parts,
  ].join('\n')
}
