import { Ajv } from 'ajv'
import { type JsonSchema, readPublishedClient, routeOf } from './published-client.ts'

const { operations, definitions } = readPublishedClient()
const ajv = new Ajv({ strict: false, allErrors: true }).addSchema({ $id: 'client', definitions })

/** The types of the responses of the published client. */
export const publishedResponses = {
  operations,

  /**
   * Returns a function that finds the differences of a response from its type; undefined when the client has no
   * function for the operation.
   */
  differencesOf(method: string, path: string): ((response: unknown) => string[]) | undefined {
    const route = routeOf(method, path)
    const operation = operations.find((candidate) => candidate.route === route)
    if (!operation) return undefined
    return operation.response ? differencesFrom(operation.response) : () => []
  },

  /** Returns the differences of the body of an error response from the type that the client has for its status. */
  differencesOfError(status: number, response: unknown): string[] {
    const type = errorTypes[status]
    return type === undefined ? [`the client has no type for ${status}`] : differencesOfError(type)(response)
  },
}

/** The types of error responses by status. Clients read `code` and `message` of every other error response. */
const errorTypes: Readonly<Record<number, string>> = {
  400: 'InvalidRequestErrorRep',
  401: 'UnauthorizedErrorRep',
  403: 'ForbiddenErrorRep',
  404: 'NotFoundErrorRep',
  405: 'MethodNotAllowedErrorRep',
  409: 'StatusConflictErrorRep',
  413: 'InvalidRequestErrorRep',
  415: 'InvalidRequestErrorRep',
  422: 'PatchFailedErrorRep',
  429: 'RateLimitedErrorRep',
  503: 'StatusServiceUnavailable',
}

const differencesOfError = (type: string) => differencesFrom({ $ref: `#/definitions/${type}` })

function differencesFrom(schema: JsonSchema): (response: unknown) => string[] {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('#/definitions', 'client#/definitions')))
  return (response) => {
    validate(response)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}
