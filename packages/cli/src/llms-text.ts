import { commandGroups } from './operations/command-name.ts'

/**
 * Returns the page `/llms.txt` of a server: where programs that read text find its API, its tools and its operations.
 *
 * Source of the format: llmstxt.org.
 */
export function llmsText(): string {
  const groups = [...commandGroups().values()].map(({ name, description, commands }) => {
    const lines = commands.map(({ operation: { method, path, summary } }) => `- ${method} ${path}: ${summary}`)
    return `## ${name}\n\n${description}\n\n${lines.join('\n')}`
  })
  return `# Halyard

> Feature management: flags, segments, releases, experiments and AI configs over HTTP.

Requests need an access token in \`Authorization\`. A semantic patch has the media type
\`application/json;domain-model=svc.semanticpatch\`. \`?dryRun=true\` shows the response of a change that is not made.

- [OpenAPI document](/api/v2/openapi.json): every operation with its schemas and an example
- [Reference](/api/v2/docs): the same as a page
- [Model Context Protocol](/mcp): a tool for each operation that the token may call

${groups.join('\n\n')}
`
}
