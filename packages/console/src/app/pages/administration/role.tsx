import type { Statement } from '@halyard/core/policy'
import { explainPolicy, lintPolicy, policyCoverage } from '@halyard/testing'
import { useMemo, useState } from 'preact/hooks'
import { api, entityTagOf, type ResponseOf } from '../../api.ts'
import { WhyNot } from '../../components/action-button.tsx'
import { ActionForm } from '../../components/action-form.tsx'
import { TextArea } from '../../components/fields.tsx'
import { readLines } from '../../components/json-text.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { hrefOf, Link } from '../../navigation.tsx'
import { announce } from '../../notices.ts'
import { rightTo } from '../../rights.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { PolicyErrors, type ReadPolicy, readPolicy } from './policy-text.tsx'

type Role = ResponseOf<'getRole'>

const { policy: words } = texts

/** A custom role with the editor of its policy. */
export function RolePage({ params: { role = '' } }: { params: Readonly<Record<string, string>> }) {
  const query = useQuery(`role ${role}`, () => api.getRole({ roleKey: role }))
  return (
    <>
      <PageTitle title={words.title(query.data?.name ?? role)} />
      <p>
        <Link href={hrefOf('roles')}>{words.back}</Link>
      </p>
      <QueryView query={query}>{(data) => <PolicyEditor role={data} />}</QueryView>
    </>
  )
}

function PolicyEditor({ role }: { role: Role }) {
  const [text, setText] = useState(() => JSON.stringify(role.policy, null, 2))
  const [queries, setQueries] = useState('')
  const resource = `role/${role.key}`
  const right = rightTo('updatePolicy', resource).value
  const read = useMemo(() => readPolicy(text), [text])
  const statements = 'statements' in read ? read.statements : undefined
  const path = `/api/v2/roles/${encodeURIComponent(role.key)}`
  // The entity tag of the policy with which the person began, so that the change of another person is not overwritten.
  const [tag, setTag] = useState(() => entityTagOf(path))
  const save = async () => {
    const body = [{ op: 'replace' as const, path: '/policy', value: statements ?? [] }]
    await api.patchRole({ roleKey: role.key, body }, tag === undefined ? {} : { ifMatch: tag })
    setTag(entityTagOf(path))
    announce(words.saved)
  }
  const editor = <TextArea label={words.statements} help={words.help} value={text} onValue={setText} rows={14} code />
  return (
    <>
      <section class="panel">
        {right?.allowed ? (
          <div data-action="updatePolicy" data-resource={resource}>
            <ActionForm submit={words.save} onSubmit={save} disabled={!statements}>
              {editor}
            </ActionForm>
          </div>
        ) : (
          editor
        )}
        {right && !right.allowed && (
          <WhyNot label={words.save} action="updatePolicy" resource={resource} right={right} />
        )}
        <Findings read={read} />
      </section>
      <section class="panel">
        <TextArea label={words.queries} help={words.queriesHelp} value={queries} onValue={setQueries} rows={4} code />
        {statements && <Answers name={role.name} statements={statements} queries={readLines(queries)} />}
      </section>
    </>
  )
}

/** The errors of a policy, or the findings of its lint. */
function Findings({ read }: { read: ReadPolicy }) {
  if ('errors' in read) return <PolicyErrors errors={read.errors} />
  const findings = lintPolicy(read.statements)
  return (
    <div role="status">
      <h2>{words.findings}</h2>
      {findings.length === 0 && <p class="quiet">{words.noFindings}</p>}
      <ul>
        {findings.map(({ rule, index, message }) => (
          <li key={`${index} ${rule} ${message}`}>
            {index + 1}: {message} <span class="tag">{rule}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface Answer {
  readonly query: string
  readonly allowed: boolean | undefined
  readonly text: string
}

/** The decisions of a policy about some actions on resources, and the statements that made none of these decisions. */
function Answers({
  name,
  statements,
  queries,
}: {
  name: string
  statements: readonly Statement[]
  queries: readonly string[]
}) {
  const source = { name, policy: statements }
  const coverage = policyCoverage(source)
  const answers = queries.map((query): Answer => {
    const [action = '', resource = ''] = query.split(/\s+/)
    try {
      const { allowed, text } = explainPolicy(source, { action, resource }, { coverage })
      return { query, allowed, text }
    } catch (error) {
      return { query, allowed: undefined, text: (error as Error).message }
    }
  })
  if (answers.length === 0) return null
  const untested = coverage.untested()
  return (
    <div role="status">
      <h2>{words.answers}</h2>
      <ul>
        {answers.map(({ query, allowed, text }) => (
          <li key={query} class={allowed === undefined ? 'error' : undefined}>
            <code>{query}</code> {allowed !== undefined && <strong>{allowed ? words.allowed : words.denied}</strong>}{' '}
            {text}
          </li>
        ))}
      </ul>
      <h2>{words.coverage}</h2>
      {untested.length === 0 && <p class="quiet">{words.covered}</p>}
      <ul>
        {untested.map(({ index, statement }) => (
          <li key={index}>
            {index + 1}: <code>{JSON.stringify(statement)}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
