import {
  approvalIndex,
  approvalRequests as approvalRequestDocuments,
} from '../../models/approval-requests/approval-request.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const approvalRequests = resource({
  title: 'Approval requests',
  description: 'Changes that other members have to approve before they are applied.',
  collections: [approvalIndex, ...Object.values(approvalRequestDocuments)],
  operations: Object.values(operations),
  parameters: {
    filter:
      'Comparisons joined by `,` (and), `|` (or) and parentheses, such as `resourceKind equals flag`. Fields: `notifyMemberIds`, `requestorId`, `resourceId`, `resourceKind`, `reviewStatus`, `status`, `projectKey`.',
    resourceKind: 'Kind of resource that the settings apply to.',
  },
})
