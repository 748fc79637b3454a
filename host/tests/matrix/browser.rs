//! The page in a headless browser, where one is installed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{example, file, prints};

/// Names another browser.
const VARIABLE: &str = "VMDISK_CHECK_CHROMIUM";
const BROWSERS: [&str; 4] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/snap/bin/chromium"];
/// Appended to the page: uses it as a person would and writes down what came of it.
const USE: &str = r#"<script>
{
const log = [];
const headings = [...document.querySelectorAll("thead button")];
const cell = (row, column) => document.querySelector("tbody").rows[row].cells[column].querySelector("button");
const sources = () => [...document.querySelector("tbody").rows].map((row) => row.cells[0].textContent).join();
log.push("sources " + sources());
headings[0].click();
log.push("ascending " + sources(), headings[0].parentElement.getAttribute("aria-sort"));
headings[0].click();
log.push("descending " + sources(), headings[0].parentElement.getAttribute("aria-sort"));
const row = [...document.querySelector("tbody").rows].findIndex((row) => row.textContent.includes("ubuntu"));
cell(row, 3).click();
const dialog = document.querySelector("dialog");
log.push("open " + dialog.open, document.getElementById("what").textContent);
log.push("decides " + dialog.querySelector(".decides strong").textContent);
log.push("said " + document.getElementById("said").textContent);
log.push("images " + document.images.length + " links " + document.links.length);
dialog.querySelector("form button").click();
log.push("closed " + !dialog.open);
const result = document.createElement("pre");
result.id = "result";
result.textContent = log.join("\n");
document.body.append(result);
}
</script>"#;

fn browser() -> Option<PathBuf> {
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    named.or_else(|| BROWSERS.iter().map(PathBuf::from).find(|path| path.exists())).filter(|path| path.exists())
}

/// The page of a dump in which a name is hostile, with what is used in a test appended.
fn page() -> PathBuf {
    let hostile = "<img src=x onerror=\\\"document.title='pwned'\\\">";
    let cluster = std::fs::read_to_string(example()).unwrap()
        + &format!(
            "\n---\n{{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {{namespace: cozy-public, name: \
             \"vm-default-images-a{hostile}\"}}, spec: {{storageClassName: \"</script>{hostile}\"}}}}\n"
        );
    let cluster = file("page-cluster.yaml", &cluster);
    let html = prints(&["matrix", "--output-format", "html", "--cluster", cluster.to_str().unwrap()]);
    assert!(!html.contains("<img") && !html.contains("http://") && !html.contains("https://"), "{html}");
    assert_eq!(html.matches("</script>").count(), 2, "no name ends a script");
    file("page.html", &html.replace("</body>", &format!("{USE}</body>")))
}

fn run(browser: &Path, arguments: &[&str], page: &Path) -> String {
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser-profile");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(arguments)
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_page_sorts_and_explains_and_takes_names_for_text() {
    let page = page();
    let Some(browser) = browser() else {
        // Unlike `eprintln`, this is seen although the test passes.
        let skipped = "SKIPPED: no browser. Install chromium, or name one with";
        writeln!(std::io::stderr(), "{skipped} {VARIABLE}, to test the page in it.").unwrap();
        return;
    };
    let document = run(&browser, &["--dump-dom", "--virtual-time-budget=5000"], &page);
    let result = document.split_once("<pre id=\"result\">").unwrap_or_else(|| panic!("{document}")).1;
    let result = result.split_once("</pre>").unwrap().0.replace("&lt;", "<").replace("&gt;", ">");
    let lines: Vec<&str> = result.lines().collect();
    assert!(
        lines[1].starts_with("ascending cozy-public/vm-default-images-a<img") && lines[2] == "ascending",
        "{result}"
    );
    assert!(lines[3].starts_with("descending cozy-public/vm-default-images-ubuntu,"), "{result}");
    assert_eq!(lines[4], "descending");
    assert_eq!(lines[5..7], ["open true", "cozy-public/vm-default-images-ubuntu → local"]);
    assert_eq!(lines[7], "decides StorageClass local (this decides)");
    assert!(lines[8].starts_with("said [RemoteVolumeAccess] PersistentVolumeClaim cozy-public/"), "{result}");
    assert_eq!(lines[9..], ["images 0 links 0", "closed true"]);
    assert!(document.contains("<title>Clone matrix</title>"), "no name ran as a script");
}
