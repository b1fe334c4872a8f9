import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const changeLog = resource({
  title: 'Change log',
  description: 'Every change, with its author and the patch that reverts it.',
  operations: Object.values(operations),
  parameters: {
    spec: 'Only changes of resources that one of these specifiers names, separated by commas, e.g. `proj/web:env/*:flag/checkout`. Tags, properties and views are those that the resources have now. `*` names every resource.',
    action: 'Only changes by these actions, separated by commas.',
    member: 'Only changes by the member with this id.',
    token: 'Only changes by the token with this id.',
    after: 'Only changes at this time or later, in ms.',
    before: 'Only changes before this time, in ms.',
    buckets: 'Maximum number of periods.',
    q: 'Text that an entry must contain.',
  },
})
