import { useState } from 'preact/hooks'
import { api, type Environment, messageOf, refresh } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { ActionForm } from '../components/action-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { CheckField, Switch, TextField } from '../components/fields.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { QueryView } from '../components/query-view.tsx'
import { listAll } from '../list-all.ts'
import { hrefOf, Link } from '../navigation.tsx'
import { rightTo } from '../rights.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import { keyFor } from './create-flag.tsx'

/** All projects with their environments. */
export function ProjectsPage() {
  const [creating, setCreating] = useState(false)
  const projects = useQuery('projects', () => listAll((page) => api.listProjects(page)))
  return (
    <>
      <PageTitle title={texts.projects.title}>
        <ActionButton
          label={texts.projects.createProject}
          action="createProject"
          resource="proj/*"
          kind="primary"
          onClick={() => setCreating(true)}
        />
      </PageTitle>
      {creating && <CreateProject onClose={() => setCreating(false)} />}
      <QueryView query={projects}>
        {(items) =>
          items.length === 0 ? (
            <p class="quiet">{texts.projects.empty}</p>
          ) : (
            items.map(({ key, name }) => <ProjectSection key={key} project={key} name={name} />)
          )
        }
      </QueryView>
    </>
  )
}

function CreateProject({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const create = async () => {
    await api.createProject({ body: { key: key ?? keyFor(name), name } })
    onClose()
  }
  return (
    <Dialog title={texts.projects.createProject} onClose={onClose}>
      <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
        <TextField label={texts.name} value={name} onValue={setName} required />
        <TextField label={texts.key} help={texts.keyHelp} value={key ?? keyFor(name)} onValue={setKey} required />
      </ActionForm>
    </Dialog>
  )
}

function ProjectSection({ project, name }: { project: string; name: string }) {
  const [creating, setCreating] = useState(false)
  const environments = useQuery(`environments of ${project}`, () =>
    listAll((page) => api.listEnvironments({ projectKey: project, ...page })),
  )
  return (
    <section class="panel">
      <div class="row middle">
        <h2>{texts.projects.environments(name)}</h2>
        <ActionButton
          label={texts.projects.createEnvironment}
          action="createEnvironment"
          resource={`proj/${project}:env/*`}
          onClick={() => setCreating(true)}
        />
      </div>
      {creating && <CreateEnvironment project={project} onClose={() => setCreating(false)} />}
      <QueryView query={environments}>
        {(items) => (
          <ul class="plain-list">
            {items.map((environment) => (
              <EnvironmentRow key={environment.key} project={project} environment={environment} />
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  )
}

function EnvironmentRow({ project, environment }: { project: string; environment: Environment }) {
  const [error, setError] = useState<unknown>(undefined)
  const { key, name, approvalSettings } = environment
  const right = rightTo('updateApprovalSettings', `proj/${project}:env/${key}`).value
  const required = approvalSettings?.required ?? false
  const toggle = () =>
    api
      .patchEnvironment({
        projectKey: project,
        environmentKey: key,
        body: [{ op: 'replace', path: '/approvalSettings/required', value: !required }],
      })
      .then(refresh, setError)
  return (
    <li class="entry row middle">
      <Link href={hrefOf('flags', { project, environment: key })}>{name}</Link>
      <code class="quiet">{key}</code>
      {right?.allowed && (
        <Switch label={`${texts.projects.approvals} (${name})`} checked={required} onToggle={() => void toggle()} />
      )}
      {error !== undefined && (
        <span class="error" role="alert">
          {messageOf(error)}
        </span>
      )}
    </li>
  )
}

function CreateEnvironment({ project, onClose }: { project: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const [color, setColor] = useState('#2f6fdb')
  const [critical, setCritical] = useState(false)
  const create = async () => {
    const body = { key: key ?? keyFor(name), name, color: color.slice(1), critical }
    await api.createEnvironment({ projectKey: project, body })
    onClose()
  }
  return (
    <Dialog title={texts.projects.createEnvironment} onClose={onClose}>
      <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
        <TextField label={texts.name} value={name} onValue={setName} required />
        <TextField label={texts.key} help={texts.keyHelp} value={key ?? keyFor(name)} onValue={setKey} required />
        <TextField label={texts.projects.color} type="color" value={color} onValue={setColor} />
        <CheckField label={texts.projects.critical} checked={critical} onChecked={setCritical} />
      </ActionForm>
    </Dialog>
  )
}
