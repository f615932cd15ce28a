// Run by `npm pack` and `npm publish` in the clone, whose files alone do not start.
console.error('This folder is not the package. `npm run release` makes it: release/npm/atrium-VERSION.tgz')
process.exitCode = 1
