import { applicationKinds } from '../../models/deployments/deployment.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'

export { applicationKinds }

/** An application that is deployed to an environment. The first event of its deployments creates it. */
export interface Application extends Versioned {
  readonly key: string
  readonly name: string
  readonly kind: (typeof applicationKinds)[number]
  readonly description: string
  readonly createdAt: number
}

export const applications = documents<Application>()({
  name: 'application',
  address: 'proj/{projectKey}:env/{environmentKey}:application/{applicationKey}',
  shown: { createdAt: shownTime('creationDate') },
  changes: {
    key: null,
    name: 'updateApplication',
    kind: 'updateApplication',
    description: 'updateApplication',
    createdAt: null,
  },
})
