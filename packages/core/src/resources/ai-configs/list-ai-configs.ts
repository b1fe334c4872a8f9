import * as v from 'valibot'
import { listCard } from '../../operation/cards/list-card.ts'
import { page, sort } from '../../operation/schema.ts'
import { projects } from '../projects/project.ts'
import { aiConfigs } from './ai-config.ts'
import { aiConfigFilter } from './ai-config-filter.ts'
import { aiConfigWire, presentAIConfig } from './ai-config-wire.ts'

export const listAIConfigs = listCard(aiConfigs, {
  id: 'listAIConfigs',
  summary: "List a project's AI configs with their variations",
  path: '/api/v2/projects/{projectKey}/ai-configs',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  query: v.object({
    ...page(),
    sort: sort({ key: 'text', name: 'text', createdAt: 'number', updatedAt: 'number' }, 'name'),
    filter: aiConfigFilter(),
  }),
  select: ({ filter: where, sort }) => ({ where, order: [sort] }),
  answer: aiConfigWire,
  present: presentAIConfig,
})
