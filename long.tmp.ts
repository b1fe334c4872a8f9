import ts from 'typescript'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.mts'], { encoding: 'utf8' }).trim().split('\n')
for (const f of files) {
  if (/\.test\.ts$/.test(f)) continue
  const src = ts.createSourceFile(f, readFileSync(f, 'utf8'), ts.ScriptTarget.Latest, true)
  const visit = (n: ts.Node) => {
    if (ts.isFunctionLike(n) && (n as any).body) {
      const a = src.getLineAndCharacterOfPosition(n.getStart()).line, b = src.getLineAndCharacterOfPosition(n.end).line
      if (b - a + 1 > 60) console.log(`${f}:${a + 1} ${(n as any).name?.getText() ?? (n.parent as any).name?.getText() ?? '?'} ${b - a + 1}`)
    }
    ts.forEachChild(n, visit)
  }
  visit(src)
}
