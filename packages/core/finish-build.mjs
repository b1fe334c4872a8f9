// Shortens the declarations that tsup wrote.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const dist = path.join(import.meta.dirname, 'dist')

shortenDeclarations()

/**
 * Writes the type of each operation once. The compiler writes it twice: at the operation, and again in the list of its
 * resource, where `typeof` says the same. This halves the declarations.
 */
function shortenDeclarations() {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))
  const texts = new Map(files.map((file) => [file, readFileSync(path.join(dist, file), 'utf8')]))
  const home = path.join('entries', 'operations.d.ts')
  const declared = /^declare const ([\w$]+): (\w+<(?:.*|[\s\S]*?\n\S.*)>);$/gm
  // The definition of a writing operation has the name of the exported value, followed by a number.
  const types = [...texts.get(home).matchAll(declared)].map(([, definition, type]) => ({
    definition,
    name: definition.replace(/\$\d+$/, ''),
    type,
  }))
  if (types.length === 0) throw new Error(`${home} declares no operation`)
  for (const [file, text] of texts) {
    const used = types.filter(({ type }) => text.includes(type))
    const shortened = used.reduce((rest, { name, type }) => rest.replaceAll(type, `typeof ${name}`), text)
    const whole = file === home ? withTypes(shortened, types) : withImports(shortened, used, relative(file, home))
    writeFileSync(
      path.join(dist, file),
      withoutLibraryComments(whole).replaceAll(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4)),
    )
  }
}

/** Removes the comments in the types of valibot, which marks each of its modules as a region. */
function withoutLibraryComments(text) {
  return text.replaceAll(/^\/\/#region [\s\S]*?^\/\/#endregion\n/gm, (region) =>
    region.replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '').replaceAll(/^\/\/#(end)?region.*\n/gm, ''),
  )
}

/** Restores the declarations of the operations themselves. */
function withTypes(text, types) {
  return types.reduce(
    (rest, { definition, name, type }) =>
      rest.replace(`const ${definition}: typeof ${name};`, () => `const ${definition}: ${type};`),
    text,
  )
}

function withImports(text, used, from) {
  return used.length > 0 ? `import { ${used.map(({ name }) => name).join(', ')} } from '${from}';\n${text}` : text
}

function relative(from, to) {
  const link = path.posix.relative(path.posix.dirname(from), to).replace(/\.d\.ts$/, '.js')
  return link.startsWith('.') ? link : `./${link}`
}
