//! Every case of `e2e-tests/cases`, one trial per request.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use vmdisk_e2e::{Case, CaseRequest, bless, blessing, load_cases, load_module, problems, run_case};
use vmdisk_host::Policy;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let loaded = load_module().and_then(|policy| Ok((policy, load_cases()?)));
    let (policy, cases) = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials = Vec::new();
    for (name, case) in cases {
        match case {
            Ok(case) => trials.extend(trials_of(&policy, case)),
            Err(error) => trials.push(Trial::test(name, move || Err(format!("{error:#}").into()))),
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trials_of(policy: &Policy, case: Case) -> Vec<Trial> {
    let case = Arc::new(case);
    let trial = |request: &CaseRequest| {
        let (policy, case, request) = (policy.clone(), Arc::clone(&case), request.clone());
        Trial::test(request.name.clone(), move || trial(&policy, &case, &request))
    };
    case.requests.iter().map(trial).collect()
}

fn trial(policy: &Policy, case: &Case, request: &CaseRequest) -> Result<(), Failed> {
    let settings = policy.validate_settings(&case.settings).map_err(|error| error.to_string())?;
    if settings.get("valid") != Some(&true.into()) {
        return Err(format!("the settings are not valid: {settings}").into());
    }
    let evaluation = run_case(policy, case, request).map_err(|error| format!("{error:#}"))?;
    if blessing() {
        bless(request, &evaluation).map_err(|error| format!("{error:#}"))?;
        return Ok(());
    }
    let Some(expected) = &request.expected else {
        let path = request.expected_path.display();
        return Err(format!("{path} is missing: write it, or run with BLESS=1 and review what that writes").into());
    };
    let problems = problems(expected, &evaluation);
    if problems.is_empty() {
        return Ok(());
    }
    let calls: Vec<String> = evaluation.calls.iter().map(|call| format!("  {call}")).collect();
    Err(format!(
        "{about}\n- {problems}\nresponse: {response:#}\ncalls:\n{calls}",
        about = case.about,
        problems = problems.join("\n- "),
        response = evaluation.response,
        calls = calls.join("\n"),
    )
    .into())
}
