/** What index.html shows before any script has run, until the session is known. */
export function Pending() {
  return (
    <div className="boot">
      <header>
        <img src="/assets/atrium.svg" alt="" width={24} height={24} />
        Atrium
      </header>
      <main aria-busy="true">
        <h1 className="visually-hidden">Atrium</h1>
        <i />
        <i />
        <i />
        <i />
      </main>
    </div>
  )
}
