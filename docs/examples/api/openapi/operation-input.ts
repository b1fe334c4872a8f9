import { getTeam } from '@halyard/core/operations'
import { operationInput } from '@halyard/openapi'

const { group, parameters } = operationInput(getTeam)
console.log(group, parameters[0]?.name) // Teams teamKey
