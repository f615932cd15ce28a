module.exports = { level: 'error' }
