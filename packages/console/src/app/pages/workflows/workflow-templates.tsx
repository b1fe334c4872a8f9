import { api } from '../../api.ts'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction } from '../../components/dialog-action.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Time } from '../../components/time.tsx'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { StageList } from './stage-list.tsx'
import type { Template } from './template-parameters.ts'

const { workflowTemplates } = texts

/** The workflow templates of the account, with their stages. */
export function WorkflowTemplatesPage() {
  const query = useQuery('workflow templates', () => api.getWorkflowTemplates({}))
  return (
    <>
      <PageTitle title={workflowTemplates.title} />
      <section class="panel">
        <p class="quiet">{workflowTemplates.help}</p>
        <QueryView query={query}>
          {({ items }) => (
            <DataTable
              label={workflowTemplates.title}
              columns={workflowTemplates.columns}
              empty={workflowTemplates.empty}
              rows={items.map((template) => ({ key: template._key, cells: cellsOf(template) }))}
            />
          )}
        </QueryView>
      </section>
    </>
  )
}

function cellsOf({ _key: key, name = key, description = '', stages = [], _creationDate }: Template) {
  return [
    name,
    <code key="key">{key}</code>,
    description,
    <details key="stages">
      <summary>{workflowTemplates.stageCount(stages.length)}</summary>
      <StageList stages={stages} showsState={false} />
    </details>,
    <Time key="created" value={_creationDate} />,
    <ConfirmedAction
      key="remove"
      label={workflowTemplates.remove}
      action="deleteTemplate"
      resource={`template/${key}`}
      danger
      question={workflowTemplates.removeQuestion(name)}
      run={() => api.deleteWorkflowTemplate({ templateKey: key })}
    />,
  ]
}
