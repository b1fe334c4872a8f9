import { useState } from 'preact/hooks'
import { api } from '../api.ts'
import { CheckField, SelectField, TextField } from '../components/fields.tsx'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import type { ClauseDraft } from './draft.ts'
import { LinesField } from './target-fields.tsx'

type Operator = keyof typeof texts.targeting.operators

type ValueType = keyof typeof texts.targeting.valueTypes

type ClauseValue = ClauseDraft['values'][number]

/** Operators whose values are numbers unless the person chooses another type. */
const numeric: ReadonlySet<string> = new Set(['lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual'])

/** Makes a condition without values. */
export function newClause(): ClauseDraft {
  return { contextKind: 'user', attribute: 'key', op: 'in', negate: false, values: [] }
}

interface Place {
  readonly project: string
  readonly environment: string
}

/** Edits conditions that must all hold. */
export function ClauseList({
  place,
  clauses,
  onChange,
}: {
  place: Place
  clauses: readonly ClauseDraft[]
  onChange: (clauses: readonly ClauseDraft[]) => void
}) {
  return (
    <div>
      <h3>{texts.targeting.clauses}</h3>
      {clauses.map((clause, index) => (
        <fieldset key={clause._id ?? index} class="clause" aria-label={texts.targeting.clause(index + 1)}>
          <ClauseFields
            place={place}
            clause={clause}
            onChange={(changed) => onChange(clauses.map((each, other) => (other === index ? changed : each)))}
          />
          <button type="button" onClick={() => onChange(clauses.filter((_, other) => other !== index))}>
            {texts.targeting.removeClause(index + 1)}
          </button>
        </fieldset>
      ))}
      <button type="button" onClick={() => onChange([...clauses, newClause()])}>
        {texts.targeting.addClause}
      </button>
    </div>
  )
}

function ClauseFields({
  place,
  clause,
  onChange,
}: {
  place: Place
  clause: ClauseDraft
  onChange: (clause: ClauseDraft) => void
}) {
  const { targeting } = texts
  const change = (changes: Partial<ClauseDraft>) => onChange({ ...clause, ...changes })
  const isSegment = clause.op === 'segmentMatch'
  const [chosenType, setType] = useState<ValueType | undefined>(undefined)
  const type = chosenType ?? typeOf(clause)
  const setOperator = (op: Operator) => {
    if (op === 'segmentMatch') change({ op, attribute: '', values: [] })
    else if (isSegment) change({ op, attribute: 'key', values: [] })
    else change({ op })
  }
  const operator = (
    <SelectField
      label={targeting.operator}
      value={clause.op as Operator}
      onValue={setOperator}
      options={Object.entries(targeting.operators) as [Operator, string][]}
    />
  )
  const negate = (
    <CheckField label={targeting.negate} checked={clause.negate} onChecked={(checked) => change({ negate: checked })} />
  )
  if (isSegment)
    return (
      <>
        {negate}
        {operator}
        <SegmentChoice place={place} chosen={clause.values.map(String)} onChange={(values) => change({ values })} />
      </>
    )
  return (
    <>
      <TextField
        label={targeting.contextKind}
        value={clause.contextKind}
        onValue={(contextKind) => change({ contextKind })}
      />
      <TextField label={targeting.attribute} value={clause.attribute} onValue={(attribute) => change({ attribute })} />
      {negate}
      {operator}
      <SelectField
        label={targeting.valueType}
        value={type}
        onValue={(next) => {
          setType(next)
          change({ values: clause.values.map((value) => readClauseValue(String(value), next, [])) })
        }}
        options={Object.entries(targeting.valueTypes) as [ValueType, string][]}
      />
      <LinesField
        label={targeting.values}
        help={targeting.valuesHelp}
        values={clause.values.map(String)}
        onValues={(lines) => change({ values: lines.map((line) => readClauseValue(line, type, clause.values)) })}
        error={clause.values.length === 0 ? targeting.noValues : undefined}
      />
    </>
  )
}

function typeOf({ values: [first], op }: ClauseDraft): ValueType {
  const type = typeof first
  if (type === 'number' || type === 'boolean') return type
  return first === undefined && numeric.has(op) ? 'number' : 'string'
}

/**
 * Reads a value. A value that the clause had before keeps its type, because the input `5` can be a text or a number.
 */
function readClauseValue(text: string, type: ValueType, before: readonly ClauseValue[]): ClauseValue {
  const existing = before.find((value) => String(value) === text)
  if (existing !== undefined) return existing
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return type === 'number' && !Number.isNaN(Number(text)) ? Number(text) : text
}

/** Maximum number of segments that are choices at a time. */
const maxSegmentChoices = 20

/** Reads the first segments that contain words. */
function listChoices({ project, environment }: Place, words: string) {
  const filter = words === '' ? {} : { filter: `query equals ${JSON.stringify(words)}` }
  return api.listSegments({ projectKey: project, environmentKey: environment, limit: maxSegmentChoices, ...filter })
}

function SegmentChoice({
  place,
  chosen,
  onChange,
}: {
  place: Place
  chosen: readonly string[]
  onChange: (keys: readonly string[]) => void
}) {
  const [words, setWords] = useState('')
  const segments = useQuery(
    `segments ${place.project} ${place.environment}`,
    () => listChoices(place, words.trim()),
    words.trim(),
  )
  const known = segments.data?.items ?? []
  const [isLong, setLong] = useState(false)
  // The search field stays visible when a search finds few segments.
  if (!isLong && (segments.data?.totalCount ?? 0) > maxSegmentChoices) setLong(true)
  const missing = chosen.filter((key) => !known.some((segment) => segment.key === key))
  const choices = [...known.map(({ key, name }) => ({ key, name })), ...missing.map((key) => ({ key, name: key }))]
  return (
    <fieldset>
      <legend>{texts.targeting.segment}</legend>
      {isLong && <TextField label={texts.targeting.searchSegments} type="search" value={words} onValue={setWords} />}
      {choices.map(({ key, name }) => (
        <CheckField
          key={key}
          label={name}
          checked={chosen.includes(key)}
          onChecked={(checked) => onChange(checked ? [...chosen, key] : chosen.filter((each) => each !== key))}
        />
      ))}
      {chosen.length === 0 && <small class="error">{texts.targeting.noValues}</small>}
    </fieldset>
  )
}
