/** Instead of the Time Logs, until they are there (board-page.md, section 2). */
export const LoadingLogs = () => (
  <p role="status" className="animate-pulse py-24 text-center text-quiet">
    Loading time entries...
  </p>
)
