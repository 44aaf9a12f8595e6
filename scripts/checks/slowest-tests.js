// `npm test -- --slowest`: a reporter of Vitest that tells, after a run, where its time went.

const shownMax = 20;

/** The twenty slowest files and tests, and the sums by project; each file with what it took before its first test. */
export default class SlowestTests {
  onTestRunEnd(modules) {
    const files = modules.map((module) => {
      const { duration, setupDuration, collectDuration } = module.diagnostic();
      return { module, tests: duration, before: setupDuration + collectDuration };
    });
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({ test, ms: test.diagnostic()?.duration ?? 0 })),
    );
    show(
      'The slowest files (tests, and what came before them)',
      files
        .toSorted((a, b) => b.tests + b.before - a.tests - a.before)
        .map(
          ({ module, tests: ms, before }) => `${seconds(ms)} ${seconds(before)}  ${module.relativeModuleId}`,
        ),
    );
    show(
      'The slowest tests',
      tests
        .toSorted((a, b) => b.ms - a.ms)
        .map(({ test, ms }) => `${seconds(ms)}  ${test.module.relativeModuleId} > ${test.fullName}`),
    );
    const byProject = Map.groupBy(files, ({ module }) => module.project.name);
    show(
      'By project (tests, and what came before them)',
      [...byProject].map(([name, group]) => {
        const sum = (part) => seconds(group.reduce((all, file) => all + file[part], 0));
        return `${sum('tests')} ${sum('before')}  ${name}: ${group.length} files`;
      }),
    );
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(9);

function show(title, lines) {
  console.log(`\n${title}`);
  for (const line of lines.slice(0, shownMax)) console.log(line);
}
