import { compilePolicy, compileRole, decide, type Statement } from '@halyard/core/policy'
import { useMemo } from 'preact/hooks'
import { api, type Environment, type Project } from '../../api.ts'
import { TextArea } from '../../components/fields.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { listAll } from '../../list-all.ts'
import { rightTo } from '../../rights.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { PolicyErrors, type ReadPolicy, readPolicy } from './policy-text.tsx'

const { relays } = texts

interface ProjectEnvironment {
  readonly project: Project
  readonly environment: Environment
}

/** Returns the statements of a text, or its errors. The text is read again only when it changes. */
export function useReadPolicy(text: string): ReadPolicy {
  return useMemo(() => readPolicy(text), [text])
}

/** A field for the policy of a relay, with the environments that the policy selects. */
export function RelayPolicyField({
  text,
  read,
  onText,
}: {
  text: string
  read: ReadPolicy
  onText: (text: string) => void
}) {
  return (
    <>
      <TextArea label={relays.policy} help={relays.policyHelp} value={text} onValue={onText} rows={11} code />
      {'errors' in read ? <PolicyErrors errors={read.errors} /> : <SelectedEnvironments statements={read.statements} />}
    </>
  )
}

/** The environments that the policy of a relay selects, limited to environments that the person may view. */
export function SelectedEnvironments({ statements }: { statements: readonly Statement[] }) {
  const query = useQuery('environments of all projects', listEnvironments)
  return (
    <div role="status">
      <h2>{relays.served}</h2>
      <QueryView query={query}>{(all) => <EnvironmentList selected={selectedBy(statements, all)} />}</QueryView>
    </div>
  )
}

function EnvironmentList({ selected }: { selected: readonly ProjectEnvironment[] }) {
  if (selected.length === 0) return <p class="quiet">{relays.noneServed}</p>
  return (
    <>
      <p class="quiet">{relays.limits}</p>
      <ul>
        {selected.map(({ project, environment }) => (
          <li key={environment._id}>
            {relays.environment(project.name, environment.name)}{' '}
            <KeyNote resource={`proj/${project.key}:env/${environment.key}`} />
          </li>
        ))}
      </ul>
    </>
  )
}

/**
 * Shows that the person may not view the SDK key of an environment. A relay policy of this person does not serve that
 * environment.
 */
function KeyNote({ resource }: { resource: string }) {
  const right = rightTo('viewSdkKey', resource).value
  return right && !right.allowed ? <span class="quiet">{relays.notYours}</span> : null
}

async function listEnvironments(): Promise<readonly ProjectEnvironment[]> {
  const projects = await listAll((page) => api.listProjects(page))
  const lists = projects.map(async (project) => {
    const environments = await listAll((page) => api.listEnvironments({ projectKey: project.key, ...page }))
    return environments.map((environment) => ({ project, environment }))
  })
  return (await Promise.all(lists)).flat()
}

function selectedBy(statements: readonly Statement[], all: readonly ProjectEnvironment[]) {
  const policy = compilePolicy([compileRole({ name: relays.policy, statements })])
  return all.filter(({ project, environment: { key, tags, critical } }) => {
    const levels = [
      { kind: 'proj', key: project.key, tags: project.tags },
      { kind: 'env', key, tags, properties: { critical } },
    ]
    return decide(policy, 'viewSdkKey', levels).allowed
  })
}
